import * as z from 'zod/mini';

/**
 * Browsers' own definition of an email address: one @, no spaces, a host made of labels; and at most 64 characters
 * before the @ (RFC 5321).
 */
const emailShape =
  /^(?=[^@]{1,64}@)[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;
const hasLowerUpperDigit = /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)/s;

const emailText = (invalid: string) =>
  z.string('Email is required').check(
    // Whitespace at the ends is a typing slip; a line break or an invisible mark is not.
    z.regex(/^[^\r\n\u2028\u2029\ufeff]*$/, invalid),
    z.trim(),
    z.minLength(1, 'Email is required'),
    z.maxLength(254, invalid),
    z.regex(emailShape, invalid),
  );

/** Limits bytes instead of characters, because the cost of hashing grows with the input. */
const maxPasswordBytes = 256;
const tooManyBytes = `Maximum ${maxPasswordBytes} bytes: accented letters and emoji take more than one`;

const newPasswordText = (required: string, tooShort: string) =>
  z.string(required).check(
    z.minLength(1, required),
    z.minLength(8, tooShort),
    z.regex(hasLowerUpperDigit, 'Must include uppercase, lowercase, and a number'),
    z.refine((value) => new TextEncoder().encode(value).length <= maxPasswordBytes, tooManyBytes),
  );

export const email = emailText('Enter a valid email address');
export const forgotPasswordEmail = emailText('Enter a valid email');
/** Sign-up also refuses plus addressing: one account per person. */
export const signUpEmail = email.check(
  z.refine((value) => !value.includes('+'), { error: "Address must not contain a '+'.", abort: true }),
);

export const existingPassword = z
  .string('Password is required')
  .check(z.minLength(1, 'Password is required'), z.maxLength(1024, 'Password is too long'));
export const newPassword = newPasswordText('Password is required', 'Minimum 8 characters');
export const confirmedPassword = z
  .string('Please confirm your password')
  .check(z.minLength(1, 'Please confirm your password'));
export const passwordsDiffer = 'Passwords do not match';

export const code = z
  .string('OTP is required')
  .check(z.trim(), z.minLength(1, 'OTP is required'), z.length(6, 'OTP must be 6 digits'));
export const signInForm = z.object({ email, password: existingPassword });

const passwordTwice = { password: newPassword, password2: confirmedPassword };

const passwordsMatch = z.refine<{ password: string; password2: string }>((form) => form.password === form.password2, {
  path: ['password2'],
  error: passwordsDiffer,
});

export const signUpForm = z.object({ email: signUpEmail, ...passwordTwice }).check(passwordsMatch);

export const forgotPasswordForm = z.object({ email: forgotPasswordEmail });

export const newPasswordForm = z.object(passwordTwice).check(passwordsMatch);

export const anyOldPassword = z
  .string('Old password is required')
  .check(z.minLength(1, 'Old password is required'), z.maxLength(1024, 'Old password is too long'));

/** The minimum applies only to the form, because an account may have an older, shorter password. */
export const oldPassword = anyOldPassword.check(z.minLength(6, 'Old password must be at least 6 characters'));

export const changePasswordForm = z.object({
  old_password: oldPassword,
  new_password: newPasswordText('New password is required', 'Password must be at least 8 characters'),
  change_api_key: z.optional(z.boolean("'change_api_key' must be true or false.")),
});
