"""`ENDPOINT KEY PATH` prints the link, once all of the file has arrived."""

import os
import sys

from tusclient.client import TusClient

endpoint, key, path = sys.argv[1:]
uploader = TusClient(endpoint, headers={"X-API-Key": key}).uploader(
    path,
    chunk_size=64_000_000,
    metadata={"filename": os.path.basename(path)},
    retries=300,
    retry_delay=0.5,
    upload_checksum=True,
)
uploader.upload()
print(uploader.request.response_headers["holdfast-link"])
