import type { Samples } from './sample-anchors.ts';

export const curlSamples: Samples = {
  file: String.raw`curl --fail --location \
  --output hello-again.txt \
  "{{origin}}/file/q7Rt2mXa"`,

  upload: String.raw`curl --fail-with-body \
  --header "X-API-Key: {{key}}" \
  --form "file=@hello.txt" \
  "{{origin}}/api/v3/upload"`,

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
