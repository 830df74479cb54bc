import { createElement } from 'react';
import { toast } from 'react-hot-toast/headless';
import { placePile } from './pile-place.ts';
import { ToastPile } from './ToastPile.tsx';

// Whoever can show a toast brings along what shows it: a page that has nothing to say loads neither.
placePile(createElement(ToastPile));

// The headless entry: the other one writes its styles into the page, which the content policy forbids.
export { toast };
