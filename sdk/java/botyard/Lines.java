package botyard;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** The lines of a stream, in UTF-8. */
final class Lines {
    private final InputStream stream;

    Lines(InputStream stream) {
        this.stream = stream;
    }

    /** Returns the next line without its newline; {@code null} at the end. */
    String next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream(1 << 12);
        for (int octet = stream.read(); octet != '\n'; octet = stream.read()) {
            if (octet < 0) {
                return line.size() == 0 ? null : line.toString(StandardCharsets.UTF_8);
            }
            line.write(octet);
        }
        return line.toString(StandardCharsets.UTF_8);
    }
}
