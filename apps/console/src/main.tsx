import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';

import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { styleNonce } from './api/page.ts';
import { Root } from './shell/root.tsx';

// Some styles are added by a library below Mantine, which has a way of its own to be told.
setNonce(styleNonce);
createRoot(document.getElementById('console')!).render(<Root />);
