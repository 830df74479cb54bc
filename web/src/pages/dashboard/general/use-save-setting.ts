import type { OneSetting } from '@holdfast/contract/src/account.ts';
import { useState } from 'react';
import { serverMessage } from '../../../api/errors.ts';
import { useChangeSetting } from '../../../api/settings.ts';
import { toast } from '../../../ui/toast.ts';

/** Sends one setting and says how it went. Resolves to whether the server took it. */
export type SaveSetting = (change: OneSetting) => Promise<boolean>;

/** The changes that are on their way, oldest first, and the means to send one more. */
export function useSaveSetting(): readonly [readonly OneSetting[], SaveSetting] {
  const { mutateAsync } = useChangeSetting();
  const [onTheirWay, setOnTheirWay] = useState<readonly OneSetting[]>([]);
  const save = async (change: OneSetting) => {
    setOnTheirWay((changes) => [...changes, change]);
    try {
      await mutateAsync(change);
      toast.success('Settings updated successfully');
      return true;
    } catch (error) {
      toast.error(serverMessage(error, 'Failed to update settings'));
      return false;
    } finally {
      setOnTheirWay((changes) => changes.filter((each) => each !== change));
    }
  };
  return [onTheirWay, save];
}
