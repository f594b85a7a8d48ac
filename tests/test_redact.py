"""Secrets are masked; what people need to compare is not."""

from __future__ import annotations

import pytest

from triage.redact import redact

SECRETS = [
    ("HF_TOKEN=hf_AbCdEfGhIjKlMnOpQrStUvWxYz012345", "hf_AbCd"),
    ("token ghp_0123456789abcdefghijABCDEFGHIJ012345 used", "ghp_"),
    ("OPENAI_API_KEY: sk-proj-abcdefghijklmnopqrstuvwx123456", "sk-proj"),
    ("Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnop"),
    ("git clone https://user:s3cr3tPa55@github.com/a/b", "s3cr3tPa55"),
    ("pip install git+https://0123456789abcdef0123456789abcdef01234567@github.com/a/b", "0123456789abcdef0123"),
    ("redis://:hunter2hunter2@cache:6379", "hunter2hunter2"),
    ("aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEMI"),
    ("AKIAIOSFODNN7EXAMPLE", "AKIAIOSFODNN7EXAMPLE"),
    ("db password='correct horse'", "correct"),
    ("https://bucket.s3.amazonaws.com/x?X-Amz-Signature=0a1b2c3d4e5f60718293&y=1", "0a1b2c3d4e5f"),
    ('{"client_secret": "abcd1234efgh5678"}', "abcd1234efgh5678"),
    ("WANDB_API_KEY=0123456789abcdef0123456789abcdef01234567", "0123456789abcdef"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\n-----END RSA PRIVATE KEY-----", "MIIEpAIBAA"),
    ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P", "eyJzdWIi"),
    ("api_token: abcdef123456789", "abcdef1234"),
    ('{"token": "abcdef1234567890abcdef"}', "abcdef1234"),
    ("serve --password hunter2xyz --port 80", "hunter2xyz"),
    ("serve --api-key abc-123-def", "abc-123"),
    ("DB_PASS=hunter2x", "hunter2x"),
    ("aws_session_token=IQoJb3JpZ2luX2VjEJr", "IQoJb3Jp"),
    ("AccountKey=abcd1234efgh5678==;", "abcd1234"),
    ("Authorization: Basic dXNlcjpwYXNz", "dXNlcjpw"),
    ("Set-Cookie: sid=abcdefgh12345678; Path=/", "abcdefgh1234"),
    ("gsk_abcdefghijklmnopqrstuvwxyz0123456789abcd", "gsk_abc"),
    ("https://hooks.slack.com/services/T0000000/B0000000/abcdefghijklmnopqrstuvwx", "abcdefghij"),
]


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_masked(text: str, secret: str) -> None:
    assert secret in text
    assert secret not in redact(text)
    assert "***" in redact(text)


KEPT = [
    "undefined symbol: _ZN3c105ErrorC2ENS_14SourceLocationENSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE",
    "GPU-8f2a1c3e-1234-5678-9abc-def012345678",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "commit 681ef7610df13c8128982901142a2c869ddbb53e",
    "Key already registered with the same priority: CUDA",
    "KeyError: 'tokenizer'",
    "max_tokens=4096, num_tokens: 128, pad_token_id=0",
    "tokenizer.pad_token = tokenizer.eos_token",
    "Missing key(s) in state_dict: \"module.fc.weight\"",
    "http://10.0.0.8:3128",
    "torch==2.4.1+cu121",
    "HF_TOKEN=$HF_TOKEN",
    "password: <your password>",
    "api_key=None",
    "usage: serve [--api-key API_KEY] [--token TOKEN]",
    "--token  the token that clients must send",
    "--max-num-batched-tokens 4096",
    "token: <s>, eos_token=<|im_end|>",
    "Authorization: denied for this model",
    "forward_pass: 0.0123 s",
    "ModuleNotFoundError: No module named 'secrets_manager'",
]


@pytest.mark.parametrize("text", KEPT)
def test_what_people_compare_is_kept(text: str) -> None:
    assert redact(text) == text


def test_home_paths_are_masked_on_request_only() -> None:
    text = 'File "/home/alice/train.py", C:\\Users\\bob\\x, /Users/carol/y'
    assert redact(text) == text
    assert redact(text, home=True) == 'File "/home/~/train.py", C:\\Users\\~\\x, /Users/~/y'
