"""What HTTP shows of the server: status lines, headers, checksums, limits, restarts."""

import gzip
import http.client
import json
import socket
import sys
import tempfile
import unittest
import urllib.parse
import zlib

import e2e

JSON_TYPE = "application/x-amz-json-1.0"
AUTHORIZATION = ("AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, "
                 "SignedHeaders=host;x-amz-date;x-amz-target, Signature=" + "0" * 64)


def headers_for(operation, **more):
    return {"Content-Type": JSON_TYPE, "X-Amz-Target": f"DynamoDB_20120810.{operation}",
            "X-Amz-Date": "20260101T000000Z", "Authorization": AUTHORIZATION, **more}


class HttpCase(e2e.ServerCase):

    def setUp(self):
        at = urllib.parse.urlparse(self.server.endpoint)
        self.address = (at.hostname, at.port)
        self.connection = http.client.HTTPConnection(*self.address, timeout=30)
        self.addCleanup(self.connection.close)

    def send(self, method, path="/", body=None, headers=None):
        self.connection.request(method, path, body, headers or {})
        answer = self.connection.getresponse()
        return answer, answer.read()

    def call(self, operation, request, **more):
        return self.send("POST", body=json.dumps(request), headers=headers_for(operation, **more))

    def test_an_answer_has_its_headers(self):
        answer, body = self.call("ListTables", {})
        self.assertEqual(answer.status, 200)
        self.assertEqual(json.loads(body), {"TableNames": []})
        self.assertEqual(answer.headers["Content-Type"], JSON_TYPE)
        self.assertRegex(answer.headers["x-amzn-RequestId"], "^[0-9A-Z]{52}$")
        self.assertEqual(int(answer.headers["x-amz-crc32"]), zlib.crc32(body))
        self.assertEqual(int(answer.headers["Content-Length"]), len(body))
        self.assertIsNotNone(answer.headers["Date"])

    def test_a_connection_serves_many_requests(self):
        ids = set()
        for _ in range(50):
            answer, _ = self.call("ListTables", {})
            ids.add(answer.headers["x-amzn-RequestId"])
        self.assertEqual(len(ids), 50)

    def test_an_error_has_its_headers_too(self):
        answer, body = self.call("DescribeTable", {"TableName": "Absent"})
        self.assertEqual(answer.status, 400)
        self.assertEqual(json.loads(body)["__type"],
                         "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException")
        self.assertEqual(int(answer.headers["x-amz-crc32"]), zlib.crc32(body))

    def test_a_gzipped_answer_is_checked_as_sent(self):
        answer, body = self.call("ListTables", {}, **{"Accept-Encoding": "gzip"})
        self.assertEqual(int(answer.headers["x-amz-crc32"]), zlib.crc32(body))
        if answer.headers["Content-Encoding"] == "gzip":
            body = gzip.decompress(body)
        self.assertEqual(json.loads(body), {"TableNames": []})

    def test_a_gzipped_request_is_read(self):
        body = gzip.compress(b'{"TableName": "Absent"}')
        answer, body = self.send("POST", body=body, headers=headers_for(
            "DescribeTable", **{"Content-Encoding": "gzip"}))
        self.assertEqual(json.loads(body)["message"],
                         "Requested resource not found: Table: Absent not found")
        self.assertEqual(answer.status, 400)

    def test_a_chunked_request_is_read(self):
        def chunks():
            yield b'{"TableName":'
            yield b' "Absent"}'
        self.connection.request("POST", "/", chunks(), headers_for("DescribeTable"),
                                encode_chunked=True)
        answer = self.connection.getresponse()
        self.assertIn(b"Absent not found", answer.read())

    def test_get_is_a_health_check(self):
        for path in ("/", "/ping"):
            answer, body = self.send("GET", path)
            self.assertEqual(answer.status, 200)
            self.assertRegex(body.decode(), r"^healthy: \S+ $")
            self.assertEqual(int(answer.headers["x-amz-crc32"]), zlib.crc32(body))

    def test_a_browser_may_ask_first(self):
        answer, _ = self.send("OPTIONS", headers={
            "Origin": "http://localhost", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "x-amz-target"})
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.headers["Access-Control-Allow-Origin"], "*")
        self.assertEqual(answer.headers["Access-Control-Allow-Headers"], "x-amz-target")
        self.assertEqual(answer.headers["Access-Control-Allow-Methods"], "POST")
        self.assertEqual(answer.headers["Access-Control-Max-Age"], "172800")

    def test_what_is_no_operation_is_said_so(self):
        answer, body = self.call("NoSuchOperation", {})
        self.assertEqual((answer.status, json.loads(body)), (
            400, {"__type": "com.amazon.coral.service#UnknownOperationException"}))
        for method, body, headers in (("PUT", "{}", headers_for("PutItem")),
                                      ("POST", None, headers_for("PutItem")),
                                      ("POST", "{}", {"Content-Type": "text/plain"})):
            answer, body = self.send(method, body=body, headers=headers)
            self.assertEqual((answer.status, body), (404, b"<UnknownOperationException/>\n"))

    def test_a_body_over_16_mb_is_refused_and_the_server_lives_on(self):
        with socket.create_connection(self.address, timeout=30) as raw:
            raw.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 16777217\r\n\r\n")
            self.assertIn(b" 413 ", raw.recv(4096).split(b"\r\n")[0])
        answer, _ = self.call("ListTables", {})
        self.assertEqual(answer.status, 200)

    def test_headers_over_16_kb_are_refused_and_the_server_lives_on(self):
        with socket.create_connection(self.address, timeout=30) as raw:
            raw.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"a" * 17000)
            self.assertIn(b" 400 ", raw.recv(4096).split(b"\r\n")[0])
        answer, _ = self.call("ListTables", {})
        self.assertEqual(answer.status, 200)

    def test_garbage_is_refused_and_the_server_lives_on(self):
        with socket.create_connection(self.address, timeout=30) as raw:
            raw.sendall(b"\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03 not http\r\n\r\n")
            self.assertIn(b" 400 ", raw.recv(4096).split(b"\r\n")[0])
        answer, _ = self.call("ListTables", {})
        self.assertEqual(answer.status, 200)


class RestartCase(unittest.TestCase):

    def test_what_was_acknowledged_is_there_after_a_restart(self):
        with tempfile.TemporaryDirectory(prefix="ordna-e2e-") as data:
            with e2e.Server(data=data) as server:
                call(server, "CreateTable", {
                    "TableName": "Kept", "BillingMode": "PAY_PER_REQUEST",
                    "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                    "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]})
                for n in range(20):
                    call(server, "PutItem", {"TableName": "Kept", "Item": {"id": {"S": str(n)}}})
            with e2e.Server(data=data) as server:
                answer = call(server, "Scan", {"TableName": "Kept", "Select": "COUNT"})
                self.assertEqual(answer["Count"], 20)

    def test_what_was_acknowledged_is_there_after_a_kill(self):
        with tempfile.TemporaryDirectory(prefix="ordna-e2e-") as data:
            killed = e2e.Server(data=data)
            killed.__enter__()
            call(killed, "CreateTable", {
                "TableName": "Kept", "BillingMode": "PAY_PER_REQUEST",
                "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}]})
            for n in range(20):
                call(killed, "PutItem", {"TableName": "Kept", "Item": {"id": {"S": str(n)}}})
            killed.process.kill()
            killed.stop()
            with e2e.Server(data=data) as server:
                answer = call(server, "Scan", {"TableName": "Kept", "Select": "COUNT"})
                self.assertEqual(answer["Count"], 20)


def call(server, operation, request):
    at = urllib.parse.urlparse(server.endpoint)
    connection = http.client.HTTPConnection(at.hostname, at.port, timeout=30)
    try:
        connection.request("POST", "/", json.dumps(request), headers_for(operation))
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()


if __name__ == "__main__":
    sys.exit(e2e.main())
