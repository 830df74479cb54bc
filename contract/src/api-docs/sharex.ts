/** The content of a `.sxcu` file, in the syntax of ShareX 14 and later. */
import { uploadPath } from '../bare-calls.ts';
import type { SampleFacts } from './fill-sample.ts';

export function shareXUploader(name: string, { origin, key }: SampleFacts) {
  return {
    Version: '14.0.0',
    Name: name,
    DestinationType: 'ImageUploader, TextUploader, FileUploader',
    RequestMethod: 'POST',
    RequestURL: origin + uploadPath,
    Headers: { 'X-API-Key': key },
    Body: 'MultipartFormData',
    FileFormName: 'file',
    URL: '{json:url}',
    DeletionURL: '{json:deletion_url}',
    ErrorMessage: '{json:error}',
  } as const;
}

export const shareXText = (name: string, facts: SampleFacts): string =>
  JSON.stringify(shareXUploader(name, facts), null, 2);
