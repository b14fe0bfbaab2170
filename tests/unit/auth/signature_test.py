"""Holds the signatures of a program against those of botocore. Usage: signature_test.py PROGRAM"""

import datetime
import subprocess
import sys
from unittest import mock

import botocore.auth
import botocore.awsrequest
import botocore.credentials

SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
TIME = datetime.datetime(2026, 11, 30, 23, 59, 59)
CASES = [
    ("AKIDEXAMPLE", SECRET, "-", "us-east-1", "https://dynamodb.us-east-1.amazonaws.com/",
     "GetItem", '{"TableName":"t","Key":{"id":{"S":"a"}}}'),
    ("AKIDEXAMPLE", SECRET, "AQoDYXdzEPT//token+/==", "eu-central-2", "http://127.0.0.1:8000/",
     "PutItem", '{"Item":{"name":{"S":"Zo\u00eb"}}}'),
    ("a", "b", "-", "cn-north-1", "https://dynamodb.cn-north-1.amazonaws.com.cn/", "ListTables",
     "{}"),
    ("a", "b" * 200, "-", "local", "http://localhost:1/a%20b/c/", "Query", "{}" * 5000),
]


def by_botocore(key, secret, token, region, url, operation, body):
    headers = {"Content-Type": "application/x-amz-json-1.0",
               "X-Amz-Target": f"DynamoDB_20120810.{operation}"}
    request = botocore.awsrequest.AWSRequest("POST", url, headers, body.encode())
    credentials = botocore.credentials.Credentials(key, secret, None if token == "-" else token)
    # Older versions ask the one, newer ones the other.
    with mock.patch("botocore.auth.datetime", create=True) as clock, \
            mock.patch("botocore.auth.get_current_datetime", return_value=TIME, create=True):
        clock.datetime.utcnow.return_value = TIME
        clock.datetime.strptime = datetime.datetime.strptime
        botocore.auth.SigV4Auth(credentials, "dynamodb", region).add_auth(request)
    return request.headers["Authorization"]


def by_us(program, key, secret, token, region, url, operation, body):
    host, path = url.split("/", 3)[2:]
    words = [program, key, secret, token, region, TIME.strftime("%Y%m%dT%H%M%SZ"), host,
             "/" + path, f"DynamoDB_20120810.{operation}", body]
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def main(program):
    wrong = 0
    for case in CASES:
        ours, theirs = by_us(program, *case), by_botocore(*case)
        if ours != theirs:
            print(f"{case[:6]}\nours:   {ours}\ntheirs: {theirs}")
            wrong += 1
    return wrong > 0


sys.exit(main(sys.argv[1]))
