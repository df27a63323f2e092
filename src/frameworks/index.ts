// All tables, for what is asked of all: packages, the catalogue. A front end imports those of its language.
import { frameworks as jvm } from './for_jvm.ts';
import { frameworks as python } from './for_python.ts';
import { frameworks as ruby } from './for_ruby.ts';

export const frameworks = [...python, ...ruby, ...jvm];
