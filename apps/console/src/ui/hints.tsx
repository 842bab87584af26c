import { useEffect, useLayoutEffect, useRef, useState } from 'react';

const delayMs = 350;
const gap = 6;
/** Elements that cut off text that does not fit. */
const cutting = '.short, [data-truncate], [data-line-clamp]';
const hinting = `[data-hint], ${cutting}`;
/** If a text is cut off, its hint shows at most this many characters of the text. */
const longest = 2_000;

/** Returns the attribute for a hint. If there is no text, returns no attribute. `\n` begins a new line. */
export function hint(text: string | undefined): { 'data-hint'?: string } {
  return text ? { 'data-hint': text } : {};
}

/**
 * Returns the hint of an element. Without a hint, returns the start of its text if the text is cut off, else undefined.
 */
function textOf(element: Element): string | undefined {
  const given = element.getAttribute('data-hint');
  if (given !== null) return given;
  const isCut = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1;
  return isCut ? element.textContent.slice(0, longest) : undefined;
}

/** Shows the hints of all elements with one shared tooltip. A tooltip for each cell of a list would be slow. */
export function Hints() {
  const [of, setOf] = useState<Element>();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hide = () => {
      clearTimeout(timer);
      setOf(undefined);
    };
    const point = ({ target }: Event) => {
      hide();
      const pointed = target instanceof Element ? target.closest(hinting) : null;
      if (pointed) timer = setTimeout(() => setOf(pointed), delayMs);
    };
    const reach = ({ target }: Event) => {
      hide();
      if (!(target instanceof Element) || !target.matches('button:focus-visible, a:focus-visible')) return;
      const reached = target.closest(hinting) ?? target.querySelector(hinting);
      if (reached) setOf(reached);
    };
    const leave = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    const stop = new AbortController();
    const options = { signal: stop.signal, capture: true, passive: true };
    document.addEventListener('pointerover', point, options);
    document.addEventListener('focusin', reach, options);
    document.addEventListener('keydown', leave, options);
    for (const event of ['focusout', 'pointerdown', 'scroll']) document.addEventListener(event, hide, options);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, []);
  useLayoutEffect(() => {
    if (!of || !box.current) return;
    const { left, right, top, bottom } = of.getBoundingClientRect();
    const { width, height } = box.current.getBoundingClientRect();
    const middle = (left + right - width) / 2;
    box.current.style.left = `${Math.max(gap, Math.min(middle, innerWidth - width - gap))}px`;
    box.current.style.top = `${top - height - gap < gap ? bottom + gap : top - height - gap}px`;
  }, [of]);
  const text = of?.isConnected && textOf(of);
  if (!text) return null;
  return <div ref={box} className="hint" role="tooltip" dir="auto">{text}</div>;
}
