import { resolveValue, ToastBar, Toaster, toast } from 'react-hot-toast';
import { toasts } from './ToastRegion.tsx';

export { toast };

const icons = { iconTheme: { primary: 'var(--sea)', secondary: 'var(--surface)' } };

const options = {
  style: {
    background: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--edge)',
    borderRadius: 'var(--radius)',
    boxShadow: 'none',
    fontSize: '14px',
  },
  // The library's own: 4 seconds, 2 for a success, at most 20, 350 pixels wide.
  success: icons,
  loading: icons,
  error: { iconTheme: { primary: 'var(--danger)', secondary: 'var(--surface)' } },
  removeDelay: 400,
};

// A batch of small files shows twenty at once, which must not cover the page.
const place = { top: 12, bottom: 'auto', height: '45dvh', overflow: 'hidden', zIndex: 100 } as const;

// A page without messages does not load this.
toasts.set(
  // Below the header where they would cover its controls.
  <Toaster toastOptions={options} containerStyle={place} containerClassName="max-lg:top-18!">
    {(shown) => (
      <ToastBar toast={shown}>
        {/* Without the library's own live region, because toasts are in one that is always mounted. */}
        {({ icon }) => (
          <>
            {icon}
            <div className="mx-2.5 my-1 min-w-0 break-words">{resolveValue(shown.message, shown)}</div>
          </>
        )}
      </ToastBar>
    )}
  </Toaster>,
);
