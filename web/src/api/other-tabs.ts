/** Tabs of one browser share its session: who signs in or out in one of them does so in all. */
const channelName = 'holdfast-session';

export function tellOtherTabs(): void {
  const channel = new BroadcastChannel(channelName);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin to name
  channel.postMessage('changed');
  channel.close();
}

export function onOtherTabs(listener: () => void): void {
  new BroadcastChannel(channelName).addEventListener('message', listener);
}
