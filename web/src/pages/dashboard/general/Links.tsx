import { filenameLength } from '@holdfast/contract/src/limits.ts';
import { SelectField } from '../../../ui/SelectField.tsx';
import { Slider } from '../../../ui/Slider.tsx';
import { SwitchRow } from '../../../ui/Switch.tsx';
import { SettingsGroup, type SettingsProps } from './SettingsGroup.tsx';

export function Links({ settings, options, save }: SettingsProps) {
  const { return_file_extension, preferred_domain, preferred_filename_length } = settings;
  const { min, max } = options?.preferred_filename_length_options ?? filenameLength;
  return (
    <SettingsGroup title="Links" text="How the links of your files look. Links you have shared keep working.">
      <SwitchRow
        label="Include Extensions"
        checked={return_file_extension}
        onChange={(on) => void save({ return_file_extension: on })}
        hint="Links end with the file's extension, such as .png. They work with and without it."
      />
      <SelectField
        label="Default Link Domain"
        options={options?.preferred_domain_options ?? [preferred_domain]}
        value={preferred_domain}
        onChange={(domain) => void save({ preferred_domain: domain })}
        hint="Used in links you copy. Files are available on every domain."
      />
      <Slider
        label="Filename Length"
        min={min}
        max={max}
        value={knownLength(preferred_filename_length)}
        format={(length) => `${length} characters`}
        onRelease={(length) => void save({ preferred_filename_length: length })}
        hint="Length of new file names. Names shorter than 8 characters can be guessed. Existing links do not change."
      />
    </SettingsGroup>
  );
}

/** A missing length, or one below the minimum, counts as 8. */
function knownLength(length: number | undefined): number {
  return length !== undefined && length >= filenameLength.min ? length : filenameLength.default;
}
