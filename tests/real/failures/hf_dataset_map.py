# causes: user_code.bug
# needs: datasets
import os
import tempfile

os.environ["HF_HOME"] = tempfile.mkdtemp()
from datasets import Dataset

rows = Dataset.from_dict({"text": ["one", "two"]})
rows.map(lambda row: {"length": len(row["txt"])})
