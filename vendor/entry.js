// All that the page takes from elsewhere, in one module: see README.md here.
export { h, render, Fragment, createContext, createRef, Component, options } from "preact";
export {
  useCallback, useContext, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState,
} from "preact/hooks";
export { signal, computed, effect, batch, untracked, useSignal, useComputed, useSignalEffect } from "@preact/signals";
export { html } from "htm/preact";
