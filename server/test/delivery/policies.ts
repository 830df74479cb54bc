/** The exact policies of public responses, and the extensions that get each. */

const rules = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'";

export const policies = { plain: `${rules}; sandbox`, media: `${rules}; sandbox allow-scripts` } as const;
export type Policy = keyof typeof policies;

const extensions: Readonly<Record<Policy, string>> = {
  media: 'mp4 m4v webm mkv mov avi 3gp 3g2 mp3 ogg opus wav m4a m4b flac aac aiff ogv oga weba mpg ts MP4 Mp3',
  plain: `png apng jpg jpeg webp gif bmp avif ico txt log md csv ini cfg conf toml yml yaml properties lang json mcmeta
    pdf rtf odt ods zip 7z rar tar gz tgz xz mcpack mcaddon jar exe apk html htm xhtml svg xml js mjs css swf
    heic vtt video audio constructor HTML Svg`,
};

export const policyOfExtension: readonly (readonly [extension: string, policy: Policy])[] = [
  ...words(extensions.media).map((extension) => [extension, 'media'] as const),
  ...words(extensions.plain).map((extension) => [extension, 'plain'] as const),
];

function words(text: string): string[] {
  return text.split(/\s+/);
}
