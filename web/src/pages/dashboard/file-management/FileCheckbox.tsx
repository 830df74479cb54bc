import { shownName } from '../../../lib/shown-name.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import type { RowProps } from './list-props.ts';

export function FileCheckbox({ file, chosen, onSelect }: Pick<RowProps, 'file' | 'chosen' | 'onSelect'>) {
  const { name, original_name } = file;
  return (
    <Checkbox
      label={`Select ${shownName(original_name)}`}
      checked={chosen}
      onChange={noChange}
      onClick={(event) => onSelect(name, event.shiftKey)}
    />
  );
}

/** The click handler does the work, because only a click event contains the state of the shift key. */
const noChange = (): void => undefined;
