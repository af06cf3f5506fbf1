import 'virtual:mantine-styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { markOffline } from './parts/stale.tsx';

/**
 * Where a page's code is gone the router loads the page anew, and gets what is newer. Without a network that would
 * lead to the browser's own page: it takes this for another fault, and ours says it.
 */
addEventListener('vite:preloadError', ({ payload }) => {
  if (!navigator.onLine) markOffline(payload);
});

/** The consoles of advertisers, publishers and operators. */
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(<App />);
