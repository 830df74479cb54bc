import { curlSamples } from '@holdfast/contract/src/api-docs/samples-curl.ts';
import { fillSample } from '@holdfast/contract/src/api-docs/fill-sample.ts';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { CodePanel } from '../../../components/samples/CodePanel.tsx';
import { useSampleFacts } from '../../../components/samples/sample-facts.ts';
import { saveShareXFile } from '../../../components/samples/save-sharex.ts';
import { Button } from '../../../ui/Button.tsx';
import { textLink } from '../../../ui/text-link.ts';

/** What to do with the key: a command to copy, and a file for ShareX. */
export function UseKey() {
  const { shown, copied } = useSampleFacts();
  return (
    <div className="grid grid-cols-1 gap-5 px-4 py-5 sm:px-5">
      <CodePanel
        title="Upload with curl"
        code={fillSample(curlSamples.upload, shown)}
        copied={fillSample(curlSamples.upload, copied)}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <h3 className="font-medium">Upload with ShareX</h3>
          <p className="text-s text-muted">
            Open this file in ShareX 14 or later. It contains your key, so keep it to yourself.
          </p>
        </div>
        <Button onClick={() => saveShareXFile(copied)}>
          <Download aria-hidden />
          Download .sxcu
        </Button>
      </div>
      <p className="text-muted">
        Every call, with samples in other languages, is in the{' '}
        <Link to="/api-docs" className={textLink}>
          API docs
        </Link>
        .
      </p>
    </div>
  );
}
