import { createElement } from 'react';
import { toast } from 'react-hot-toast/headless';
import { placePile } from './Toaster.tsx';
import { ToastPile } from './ToastPile.tsx';

// The pile decides how long a toast stays and how many are shown at once (20). Importing `toast` also loads the component that shows toasts. A page without messages loads neither.
placePile(createElement(ToastPile));

// The headless entry, because the other one adds style elements to the page, which the content security policy forbids.
export { toast };
