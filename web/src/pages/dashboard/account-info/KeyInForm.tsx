import { keyField } from '@holdfast/contract/src/calls.ts';
import { useAllowKeyInForm } from '../../../api/account/account-changes.ts';
import { serverMessage } from '../../../api/client/errors.ts';
import { SwitchRow } from '../../../ui/Switch.tsx';
import { toast } from '../../../ui/toast.tsx';

/** A switch for upload programs that cannot send the key in a header. It shows the choice while that is being saved. */
export function KeyInForm({ allowed }: { readonly allowed: boolean }) {
  const { mutateAsync, asked, isPending } = useAllowKeyInForm();
  const change = async (on: boolean) => {
    try {
      if (await mutateAsync(on)) toast.success('Settings updated successfully');
    } catch (error) {
      toast.error(serverMessage(error, 'Failed to update settings'));
    }
  };
  return (
    <SwitchRow
      label="Accept the key in upload forms"
      checked={isPending && asked !== undefined ? asked : allowed}
      onChange={(on) => void change(on)}
      hint={
        <>
          Only for programs that cannot send a header, such as older ShareX uploaders. They send your key in the form
          field <code>{keyField}</code>, before the file. Programs and proxies may log what is in a form, so your key is
          easier to leak. These uploads are limited to 4 a second per IP address.
        </>
      }
    />
  );
}
