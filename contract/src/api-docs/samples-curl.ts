import type { SampleAnchor } from './sample-anchors.ts';

export const curlSamples: Readonly<Record<SampleAnchor, string>> = {
  file: String.raw`curl --fail --location \
  --output hello-again.txt \
  "{{origin}}/file/q7Rt2mXa"`,

  upload: String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --form "file=@hello.txt" \
  "{{origin}}/api/v3/upload"`,

  'put-file': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --upload-file hello.txt \
  "{{origin}}/api/v3/upload/"

# From a pipe the name is in the address.
gzip --stdout hello.txt | curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --upload-file - \
  "{{origin}}/api/v3/upload/hello.txt.gz"`,

  'upload-batch': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --form "file=@hello.txt" \
  --form "file=@hello.txt;filename=hello-again.txt" \
  "{{origin}}/api/v3/rest/upload-batch"`,

  tus: String.raw`upload=$(curl --fail --silent --show-error \
  --request POST \
  --header "X-API-Key: {{key}}" \
  --header "Tus-Resumable: 1.0.0" \
  --header "Upload-Length: $(wc -c < hello.txt | tr -d ' ')" \
  --header "Upload-Metadata: filename $(printf hello.txt | base64)" \
  --write-out '%header{location}' \
  "{{origin}}/api/v3/tus")

# From here on again after a lost connection.
offset=$(curl --fail --silent --show-error \
  --head --output /dev/null \
  --header "X-API-Key: {{key}}" \
  --header "Tus-Resumable: 1.0.0" \
  --write-out '%header{upload-offset}' \
  "{{origin}}$upload")
tail -c "+$((offset + 1))" hello.txt | curl --fail-with-body \
  --request PATCH --upload-file - \
  --header "X-API-Key: {{key}}" \
  --header "Tus-Resumable: 1.0.0" \
  --header "Upload-Offset: $offset" \
  --header "Content-Type: application/offset+octet-stream" \
  --write-out '%header{holdfast-link}\n' \
  "{{origin}}$upload"`,

  'get-file-list': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  "{{origin}}/api/v3/rest/get-file-list?column=hits&limit=10"`,

  'toggle-favorite': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --json '{"file": "q7Rt2mXa"}' \
  "{{origin}}/api/v3/rest/toggle-favorite"`,

  'delete-files': String.raw`curl --fail-with-body \
  --request DELETE \
  --header "X-API-Key: {{key}}" \
  --json '{"files": ["q7Rt2mXa"]}' \
  "{{origin}}/api/v3/rest/delete-files"`,

  'restore-files': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --json '{"files": ["q7Rt2mXa"]}' \
  "{{origin}}/api/v3/rest/restore-files"`,

  'get-account-info': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  "{{origin}}/api/v3/rest/get-account-info"`,

  'get-account-settings': String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  "{{origin}}/api/v3/rest/get-account-settings"`,
};
