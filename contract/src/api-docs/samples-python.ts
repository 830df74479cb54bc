import type { Samples } from './sample-anchors.ts';

const json = `import json
from urllib.request import Request, urlopen
`;
const keyOnly = `headers={"X-API-Key": "{{key}}"},`;
const keyAndType = `headers={
        "X-API-Key": "{{key}}",
        "Content-Type": "application/json",
    },`;

const call = (url: string, args: readonly string[], reading: string) => `request = Request(
    ${[`${url},`, ...args].join('\n    ')}
)
with urlopen(request) as answer:
    ${reading}`;

const get = (name: string, reading: string) =>
  `${json}\n${call(`"{{origin}}/api/v3/rest/${name}"`, [keyOnly], reading)}`;

const send = (name: string, args: readonly string[], reading: string) =>
  `${json}\n${call(`"{{origin}}/api/v3/rest/${name}"`, [...args, keyAndType], reading)}`;

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
${call(
  'f"{{origin}}/api/v3/rest/get-file-list?{query}"',
  [keyOnly],
  `for file in json.load(answer)["files"]:
        print(file["name"], file["original_name"], file["hits"])`,
)}`,

  'toggle-favorite': send(
    'toggle-favorite',
    ['data=json.dumps({"file": "q7Rt2mXa"}).encode(),'],
    'print(json.load(answer)["file_info"]["is_favorite"])',
  ),
  'delete-files': send(
    'delete-files',
    ['method="DELETE",', 'data=json.dumps({"files": ["q7Rt2mXa"]}).encode(),'],
    'print(json.load(answer)["deleted"])',
  ),
  'restore-files': send(
    'restore-files',
    ['data=json.dumps({"files": ["q7Rt2mXa"]}).encode(),'],
    'print(json.load(answer)["restored"])',
  ),
  'get-account-info': get(
    'get-account-info',
    `account = json.load(answer)["account"]
    print(account["info"]["email"], account["usage"]["space_used"])`,
  ),
  'get-account-settings': get('get-account-settings', 'print(json.load(answer)["account"]["settings"])'),
};
