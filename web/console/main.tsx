import 'virtual:mantine-styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

/** The consoles of advertisers, publishers and operators. */
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(<App />);
