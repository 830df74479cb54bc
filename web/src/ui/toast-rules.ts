/** What the spec's section 9 says of toasts. */
export const toastLimit = 20;

const stay = { duration: 4000 };

export const toastDurations = {
  blank: stay,
  error: stay,
  custom: stay,
  success: { duration: 2000 },
  loading: { duration: Infinity },
  // Time to fade, after the duration.
  removeDelay: 200,
};
