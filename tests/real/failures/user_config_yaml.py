# causes: user_code.config
# needs: yaml
import yaml

TEXT = """model:
  name: resnet50
   layers: 50
"""
yaml.safe_load(TEXT)
