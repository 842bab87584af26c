// The usual theme, without its fonts.
import './style.css';

export { default } from 'vitepress/theme-without-fonts';
