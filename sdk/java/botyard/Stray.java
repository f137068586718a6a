package botyard;

import java.io.OutputStream;
import java.io.PrintStream;

/** {@code System.out} while the protocol owns standard output: writes to standard error, and warns once. */
final class Stray extends PrintStream {
    Stray() {
        super(new Out(), true);
    }

    private static final class Out extends OutputStream {
        private boolean warned;

        private void warn() {
            if (!warned) {
                warned = true;
                System.err.println("botyard: standard output belongs to the protocol; what you print goes to standard "
                        + "error. Use System.err or turn.log(...)");
            }
        }

        @Override
        public synchronized void write(int octet) {
            warn();
            System.err.write(octet);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            warn();
            System.err.write(bytes, from, length);
        }

        @Override
        public void flush() {
            System.err.flush();
        }
    }
}
