// The headless entry: the other one writes its styles into the page, which the content policy forbids.
export { toast } from 'react-hot-toast/headless';
