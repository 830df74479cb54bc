import { CallFailed } from '@holdfast/contract/src/envelope.ts';
import { resendWaitSeconds } from '@holdfast/contract/src/rules.ts';
import { useResendCode } from '../../api/sign-up.ts';
import { textLink } from '../../layouts/AuthPage.tsx';
import { toast } from '../../ui/toast.ts';
import { minutesAndSeconds, useCountdown } from './countdown.ts';

/** The page opens right after a code was sent, so the wait starts with it. */
export function ResendCode({ email }: { readonly email: string | undefined }) {
  const resend = useResendCode();
  const [left, restart] = useCountdown(email === undefined ? 0 : resendWaitSeconds);
  const send = async () => {
    if (email === undefined) return toast.error('Email is missing. Go back and start from sign-in.');
    try {
      const { message } = await resend.mutateAsync(email);
      toast.success(message || 'Verification code re-sent.');
      restart(resendWaitSeconds);
    } catch (failure) {
      toast.error("Couldn't resend code. Try again later.");
      if (failure instanceof CallFailed && failure.retryAfterSeconds !== undefined) restart(failure.retryAfterSeconds);
    }
  };
  return (
    <p className="mt-6 text-m text-muted">
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
        <span className="mt-1 block figures text-s">{`Wait ${minutesAndSeconds(left)} to re-send again.`}</span>
      )}
    </p>
  );
}
