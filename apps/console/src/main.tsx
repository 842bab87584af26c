import '@mantine/core/styles.css';
import '@mantine/dates/styles.css';
import '@mantine/notifications/styles.css';
import './styles.css';

import { setNonce } from 'get-nonce';
import { createRoot } from 'react-dom/client';
import { CodeAway } from './api/fetched.ts';
import { styleNonce } from './api/page.ts';
import { Root } from './shell/root.tsx';

// A library that Mantine uses adds style elements. `setNonce` sets their nonce.
setNonce(styleNonce);
createRoot(document.getElementById('console')!, {
  onCaughtError: (error) => {
    // Do not report a CodeAway: the component `Broken` already shows it.
    if (!(error instanceof CodeAway)) reportError(error);
  },
}).render(<Root />);
