# causes: user_code.config
# needs:
import argparse

parser = argparse.ArgumentParser(prog="train.py")
parser.add_argument("--data", required=True)
parser.add_argument("--precision", choices=["fp32", "bf16"], default="bf16")
parser.parse_args(["--data", "d", "--precision", "fp8"])
