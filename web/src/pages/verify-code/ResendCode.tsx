import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { resendWaitSeconds } from '@holdfast/contract/src/limits.ts';
import { useResendCode } from '../../api/account/sign-up.ts';
import { textLink } from '../../ui/text-link.ts';
import { toast } from '../../ui/toast.tsx';
import { minutesAndSeconds, useCountdown } from './countdown.ts';

export interface ResendCodeProps {
  readonly email: string | undefined;
  readonly sentAt: number | undefined;
}

export function ResendCode({ email, sentAt }: ResendCodeProps) {
  const resend = useResendCode();
  const [left, restart] = useCountdown(sentAt === undefined ? 0 : sentAt + resendWaitSeconds * 1000);
  const send = async () => {
    if (email === undefined) return void toast.error('Email is missing. Go back and start from sign-in.');
    try {
      const answer = await resend.mutateAsync(email);
      if (!answer) return;
      toast.success(answer.message || 'Verification code re-sent.');
      restart(Date.now() + resendWaitSeconds * 1000);
    } catch (failure) {
      toast.error("Couldn't resend code. Try again later.");
      if (failure instanceof CallFailed && failure.retryAfterSeconds !== undefined)
        restart(Date.now() + failure.retryAfterSeconds * 1000);
    }
  };
  return (
    <p>
      Didn't receive a code?{' '}
      <button
        type="button"
        disabled={left > 0 || resend.isPending}
        onClick={send}
        className={`${textLink} disabled:text-muted disabled:no-underline`}
      >
        Re-send code
      </button>
      {left > 0 && (
        <span className="mt-1 block text-s tabular-nums">{`Wait ${minutesAndSeconds(left)} to re-send again.`}</span>
      )}
    </p>
  );
}
