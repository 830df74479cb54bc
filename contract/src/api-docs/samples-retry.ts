import type { SampleLanguage } from './samples.ts';

/** A call that waits as long as a 429 requires and then retries, five times at most. */
export const retrySamples: Readonly<Record<SampleLanguage, string>> = {
  curl: String.raw`curl --fail --retry 4 \
  --header "X-API-Key: {{key}}" \
  "{{origin}}/api/v3/rest/get-account-info"`,

  sdk: `import { createHoldfast } from "@holdfast/client";

const holdfast = createHoldfast({
  url: "{{origin}}",
  apiKey: "{{key}}",
  // It waits on its own.
  retries: 4,
  onRetry: ({ code }, seconds) => console.error(code, "again in", seconds, "s"),
});
const { account } = await holdfast.getAccountInfo();
console.log(account.info.email, account.usage.space_used);`,

  javascript: `import { setTimeout } from "node:timers/promises";

async function ask(url, options) {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(url, options);
    if (answer.status !== 429 || attempt === 5) return answer;
    await setTimeout(1000 * (answer.headers.get("Retry-After") ?? 1));
  }
}

const answer = await ask("{{origin}}/api/v3/rest/get-account-info", {
  headers: { "X-API-Key": "{{key}}" },
});
const { success, account, error } = await answer.json();
if (!success) throw new Error(error.message);
console.log(account.info.email, account.usage.space_used);`,

  python: `import json
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

def ask(request, attempts=5):
    while True:
        attempts -= 1
        try:
            return urlopen(request)
        except HTTPError as error:
            if error.code != 429 or attempts == 0:
                raise
            time.sleep(int(error.headers.get("Retry-After", 1)))

request = Request(
    "{{origin}}/api/v3/rest/get-account-info",
    headers={"X-API-Key": "{{key}}"},
)
with ask(request) as answer:
    account = json.load(answer)["account"]
    print(account["info"]["email"], account["usage"]["space_used"])`,

  java: `import java.net.URI;
import java.net.http.*;

class Sample {
  static HttpResponse<String> ask(HttpRequest request) throws Exception {
    var client = HttpClient.newHttpClient();
    for (var attempt = 1; ; attempt++) {
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 429 || attempt == 5) return answer;
      Thread.sleep(1000 * answer.headers().firstValueAsLong("Retry-After").orElse(1));
    }
  }

  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder()
      .uri(URI.create("{{origin}}/api/v3/rest/get-account-info"))
      .header("X-API-Key", "{{key}}")
      .build();
    var answer = ask(request);
    if (answer.statusCode() != 200) throw new Exception(answer.body());
    System.out.println(answer.body());
  }
}`,
};
