import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';

import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { CodeAway } from './api/fetched.ts';
import { styleNonce } from './api/page.ts';
import { Root } from './shell/root.tsx';

// Some styles are added by a library below Mantine, which has a way of its own to be told.
setNonce(styleNonce);
createRoot(document.getElementById('console')!, {
  onCaughtError: (error) => {
    // A screen that is away says so itself.
    if (!(error instanceof CodeAway)) reportError(error);
  },
}).render(<Root />);
