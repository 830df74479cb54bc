import { expect, test } from 'vitest';
import { curlWithCheck, linkForms, serverProperties } from './link-forms.ts';

const url = 'https://files.example.com/file/q7Rt2mXa.zip';
const named = (name: string, isImage = false) => ({ name, url, isImage });

test('a name cannot end the markup around it', () => {
  const hostile = named(`"><b>[x](y) & 'z'`);
  expect(linkForms.Markdown(hostile)).toBe(String.raw`["\>\<b\>\[x\](y) & 'z'](${url})`);
  expect(linkForms.HTML(hostile)).toBe(`<a href="${url}">&quot;&gt;&lt;b&gt;[x](y) &amp; 'z'</a>`);
  expect(linkForms.BBCode(hostile)).toBe(`[url=${url}]"><b>(x)(y) & 'z'[/url]`);
  expect(linkForms['Plain text'](hostile)).toBe(url);
});

test('an image is shown where the form can do that', () => {
  const image = named('sea.png', true);
  expect(linkForms.Markdown(image)).toBe(`![sea.png](${url})`);
  expect(linkForms.HTML(image)).toBe(`<img src="${url}" alt="sea.png">`);
  expect(linkForms.BBCode(image)).toBe(`[img]${url}[/img]`);
});

test('the command quotes the name, and a server gets the two lines of a resource pack', () => {
  expect(curlWithCheck(named("it's; rm.zip"), 'ab12')).toBe(
    `curl --fail --location --output 'it'\\''s; rm.zip' '${url}' &&\n  echo 'ab12  it'\\''s; rm.zip' | sha256sum --check`,
  );
  expect(serverProperties(url, 'ab12')).toBe(
    `resource-pack=https://files.example.com/file/q7Rt2mXa.zip\nresource-pack-sha1=ab12`,
  );
});
