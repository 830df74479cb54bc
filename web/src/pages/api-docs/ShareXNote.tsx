import { Download } from 'lucide-react';
import { useAccount } from '../../api/session.ts';
import { site } from '../../lib/site.ts';
import { Button } from '../../ui/Button.tsx';
import { useSampleFacts } from './sample-facts.ts';
import { saveShareXFile } from './save-sharex-file.ts';

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
