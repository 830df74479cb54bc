import { useState } from 'react';
import { useChangeApiKey } from '../../../api/api-key.ts';
import { serverMessage } from '../../../api/errors.ts';
import { toast } from '../../../ui/toast.ts';

export function useKeyChange() {
  const [error, setError] = useState<string>();
  const { mutateAsync, isPending, data: newKey } = useChangeApiKey();
  const change = async () => {
    setError(undefined);
    try {
      await mutateAsync();
      toast.success('API key changed successfully!');
    } catch (failure) {
      const message = serverMessage(failure, 'Failed to change API key');
      setError(`${message.replace(/\.$/, '')}. Please try again.`);
      toast.error(message);
    }
  };
  return { newKey, error, busy: isPending, change: () => void change() };
}
