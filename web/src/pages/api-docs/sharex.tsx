import { shareXText } from '@holdfast/contract/src/api-docs/sharex.ts';
import { Download } from 'lucide-react';
import { useAccount } from '../../api/account/account.ts';
import { site } from '../../lib/site.ts';
import { Button } from '../../ui/Button.tsx';
import { saveShareXFile } from '../../components/samples/save-sharex.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { CodePanel } from '../../components/samples/CodePanel.tsx';
import { useSampleFacts } from '../../components/samples/sample-facts.ts';

export function ShareXPanel() {
  const { shown, copied } = useSampleFacts();
  return (
    <CodePanel
      title="Upload · ShareX"
      code={shareXText(site.name, shown)}
      copied={shareXText(site.name, copied)}
      actions={
        <IconButton label="Download the ShareX uploader" onClick={() => saveShareXFile(copied)}>
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
      <Button onClick={() => saveShareXFile(copied)}>
        <Download aria-hidden />
        Download .sxcu
      </Button>
    </div>
  );
}
