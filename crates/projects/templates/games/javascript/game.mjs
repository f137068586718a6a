import { serve } from "./botyard/rules.js";
import { Nim } from "./nim.mjs";

serve(Nim);
