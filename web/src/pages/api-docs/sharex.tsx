import type { SampleFacts } from '@holdfast/contract/src/api-docs/samples.ts';
import { shareXText } from '@holdfast/contract/src/api-docs/sharex.ts';
import { Download } from 'lucide-react';
import { useAccount } from '../../api/account/account.ts';
import { site } from '../../lib/site.ts';
import { Button } from '../../ui/Button.tsx';
import { IconButton } from '../../ui/IconButton.tsx';
import { CodePanel } from './CodePanel.tsx';
import { useSampleFacts } from './sample-facts.ts';

export function ShareXPanel() {
  const { shown, copied } = useSampleFacts();
  return (
    <CodePanel
      title="Upload · ShareX"
      code={shareXText(site.name, shown)}
      copied={shareXText(site.name, copied)}
      actions={
        <IconButton label="Download the ShareX uploader" onClick={() => saveShareXFile(site.name, copied)}>
          <Download />
        </IconButton>
      }
    />
  );
}

export function ShareXNote() {
  const { data: account } = useAccount();
  const { copied } = useSampleFacts();
  return (
    <div className="print:hidden">
      <h3 className="border-b border-line pb-2 text-m font-semibold">ShareX</h3>
      <p className="mt-2.5 mb-3 text-m text-muted">
        Open the file in ShareX 14 or later to upload screenshots and files from there.{' '}
        {account ? 'It holds your API key: do not pass it on.' : 'Put your API key in place of YOUR_API_KEY first.'}
      </p>
      <Button onClick={() => saveShareXFile(site.name, copied)}>
        <Download aria-hidden />
        Download .sxcu
      </Button>
    </div>
  );
}

/** Builds the file in the browser, so that the key in it is never sent. */
function saveShareXFile(name: string, facts: SampleFacts): void {
  const url = URL.createObjectURL(new Blob([shareXText(name, facts)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${name}.sxcu`;
  link.click();
  URL.revokeObjectURL(url);
}
