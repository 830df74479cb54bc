import type { Samples } from './sample-anchors.ts';

/** Each is a script for Python 3 that needs only the standard library. */
export const pythonSamples: Samples = {
  file: `from urllib.request import urlretrieve

urlretrieve("{{origin}}/file/q7Rt2mXa", "hello-again.txt")`,

  upload: `import json
import os
import uuid
from itertools import chain
from urllib.request import Request, urlopen

boundary = uuid.uuid4().hex
head = (
    f"--{boundary}\\r\\n"
    'Content-Disposition: form-data; name="file"; filename="hello.txt"\\r\\n'
    "\\r\\n"
).encode()
tail = f"\\r\\n--{boundary}--\\r\\n".encode()

with open("hello.txt", "rb") as file:
    chunks = iter(lambda: file.read(65536), b"")
    size = os.path.getsize("hello.txt")
    request = Request(
        "{{origin}}/api/v3/upload",
        data=chain([head], chunks, [tail]),
        headers={
            "X-API-Key": "{{key}}",
            "Content-Type": f"multipart/form-data; boundary={boundary}",
            "Content-Length": str(len(head) + size + len(tail)),
        },
    )
    with urlopen(request) as answer:
        print(json.load(answer)["url"])`,

  'get-file-list': `import json
from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = urlencode({"column": "hits", "limit": 10})
request = Request(
    f"{{origin}}/api/v3/rest/get-file-list?{query}",
    headers={"X-API-Key": "{{key}}"},
)
with urlopen(request) as answer:
    for file in json.load(answer)["files"]:
        print(file["name"], file["original_name"], file["hits"])`,

  'toggle-favorite': `import json
from urllib.request import Request, urlopen

request = Request(
    "{{origin}}/api/v3/rest/toggle-favorite",
    data=json.dumps({"file": "q7Rt2mXa"}).encode(),
    headers={
        "X-API-Key": "{{key}}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer)["file_info"]["is_favorite"])`,

  'delete-files': `import json
from urllib.request import Request, urlopen

request = Request(
    "{{origin}}/api/v3/rest/delete-files",
    method="DELETE",
    data=json.dumps({"files": ["q7Rt2mXa"]}).encode(),
    headers={
        "X-API-Key": "{{key}}",
        "Content-Type": "application/json",
    },
)
with urlopen(request) as answer:
    print(json.load(answer)["deleted"])`,

  'get-account-info': `import json
from urllib.request import Request, urlopen

request = Request(
    "{{origin}}/api/v3/rest/get-account-info",
    headers={"X-API-Key": "{{key}}"},
)
with urlopen(request) as answer:
    account = json.load(answer)["account"]
    print(account["info"]["email"], account["usage"]["space_used"])`,

  'get-account-settings': `import json
from urllib.request import Request, urlopen

request = Request(
    "{{origin}}/api/v3/rest/get-account-settings",
    headers={"X-API-Key": "{{key}}"},
)
with urlopen(request) as answer:
    print(json.load(answer)["account"]["settings"])`,
};
