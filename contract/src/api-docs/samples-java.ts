import type { Samples } from './sample-anchors.ts';

/** One class in one file, for `java Sample.java` from Java 17 on; only `request` differs by call. */
const program = (request: string) => `import java.net.URI;
import java.net.http.*;

class Sample {
  public static void main(String[] args) throws Exception {
${request
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
    var client = HttpClient.newHttpClient();
    var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new Exception(answer.body());
    System.out.println(answer.body());
  }
}`;

const get = (path: string) =>
  program(`var request = HttpRequest.newBuilder()
  .uri(URI.create("{{origin}}${path}"))
  .header("X-API-Key", "{{key}}")
  .build();`);

const send = (method: string, path: string, body: string) =>
  program(`var request = HttpRequest.newBuilder()
  .uri(URI.create("{{origin}}${path}"))
  .header("X-API-Key", "{{key}}")
  .header("Content-Type", "application/json")
  .method("${method}", HttpRequest.BodyPublishers.ofString("""
    ${body}"""))
  .build();`);

export const javaSamples: Samples = {
  file: `import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;

class Sample {
  public static void main(String[] args) throws Exception {
    var request = HttpRequest.newBuilder()
      .uri(URI.create("{{origin}}/file/q7Rt2mXa"))
      .build();
    var client = HttpClient.newBuilder()
      .followRedirects(HttpClient.Redirect.NORMAL)
      .build();
    var target = Path.of("hello-again.txt");
    var answer = client.send(request, HttpResponse.BodyHandlers.ofFile(target));
    if (answer.statusCode() != 200) throw new Exception("HTTP " + answer.statusCode());
  }
}`,

  upload: `import java.net.URI;
import java.net.http.*;
import java.nio.file.Path;
import java.util.UUID;
import static java.net.http.HttpRequest.BodyPublishers.*;

class Sample {
  public static void main(String[] args) throws Exception {
    var boundary = UUID.randomUUID().toString();
    var head = "--" + boundary + "\\r\\n"
      + "Content-Disposition: form-data; name=\\"file\\"; filename=\\"hello.txt\\"\\r\\n\\r\\n";
    var body = concat(
      ofString(head),
      ofFile(Path.of("hello.txt")),
      ofString("\\r\\n--" + boundary + "--\\r\\n"));

    var request = HttpRequest.newBuilder()
      .uri(URI.create("{{origin}}/api/v3/upload"))
      .header("X-API-Key", "{{key}}")
      .header("Content-Type", "multipart/form-data; boundary=" + boundary)
      .POST(body)
      .build();
    var client = HttpClient.newHttpClient();
    var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) throw new Exception(answer.body());
    System.out.println(answer.body());
  }
}`,

  'get-file-list': get('/api/v3/rest/get-file-list?column=hits&limit=10'),
  'toggle-favorite': send('POST', '/api/v3/rest/toggle-favorite', '{"file": "q7Rt2mXa"}'),
  'delete-files': send('DELETE', '/api/v3/rest/delete-files', '{"files": ["q7Rt2mXa"]}'),
  'restore-files': send('POST', '/api/v3/rest/restore-files', '{"files": ["q7Rt2mXa"]}'),
  'get-account-info': get('/api/v3/rest/get-account-info'),
  'get-account-settings': get('/api/v3/rest/get-account-settings'),
};
