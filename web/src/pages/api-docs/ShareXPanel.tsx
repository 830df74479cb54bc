import { shareXText } from '@holdfast/contract/src/sharex.ts';
import { Download } from 'lucide-react';
import { site } from '../../lib/site.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { CodePanel } from './CodePanel.tsx';
import { useSampleFacts } from './sample-facts.ts';
import { saveShareXFile } from './save-sharex-file.ts';

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
