package dev.fairlead.http.loop;

/**
 * A body in chunks. Extensions, which are tokens, and trailers are checked, bounded and dropped.
 *
 * @spec https://www.rfc-editor.org/rfc/rfc9112#section-7.1 RFC 9112, 7.1
 */
final class ChunkedDecoder implements BodyDecoder {
    /** The most bytes of extensions, and of trailers, of one body. */
    static final int MAX_EXTRA = 8 << 10;

    /** The most digits of the size of a chunk. */
    private static final int DIGITS = 15;

    private enum State {
        SIZE,
        EXTENSION_START,
        EXTENSION_NAME,
        EXTENSION_VALUE_START,
        EXTENSION_VALUE,
        SIZE_FEED,
        DATA,
        DATA_RETURN,
        DATA_FEED,
        TRAILER_START,
        TRAILER_NAME,
        TRAILER_VALUE,
        TRAILER_FEED,
        LAST_FEED,
        COMPLETE
    }

    private State state = State.SIZE;
    private int digits;
    private long size;
    private long announced;
    private int extra;

    @Override
    public int decode(byte[] bytes, int from, int to, Sink sink) throws BadRequestException {
        int i = from;
        while (i < to && state != State.COMPLETE) {
            if (state == State.DATA) {
                int end = (int) Math.min(to, i + size);
                sink.take(bytes, i, end);
                size -= end - i;
                i = end;
                if (size == 0) {
                    state = State.DATA_RETURN;
                }
            } else {
                state = next(bytes[i++] & 0xff);
            }
        }
        return i;
    }

    private State next(int c) throws BadRequestException {
        return switch (state) {
            case SIZE -> size(c);
            case EXTENSION_START, EXTENSION_NAME -> extensionName(c);
            case EXTENSION_VALUE_START, EXTENSION_VALUE -> extensionValue(c);
            case SIZE_FEED -> sized(c);
            case DATA_RETURN -> expect(c, '\r', State.DATA_FEED);
            case DATA_FEED -> expect(c, '\n', State.SIZE);
            case TRAILER_START -> c == '\r' ? State.LAST_FEED : trailerName(c, true);
            case TRAILER_NAME -> trailerName(c, false);
            case TRAILER_VALUE -> trailerValue(c);
            case TRAILER_FEED -> expect(c, '\n', State.TRAILER_START);
            case LAST_FEED -> expect(c, '\n', State.COMPLETE);
            case DATA, COMPLETE -> throw new AssertionError(state);
        };
    }

    private State size(int c) throws BadRequestException {
        int digit = Syntax.hex(c);
        if (digit >= 0 && digits < DIGITS) {
            digits++;
            size = size << 4 | digit;
            if (size > Integer.MAX_VALUE) { // no body may be so long: it is not waited for
                throw BadRequestException.malformed("A chunk is too large");
            }
            return State.SIZE;
        }
        if (digits == 0 || (c != '\r' && c != ';')) {
            throw BadRequestException.malformed("The size of a chunk is not a number");
        }
        return c == '\r' ? State.SIZE_FEED : State.EXTENSION_START;
    }

    private State sized(int c) throws BadRequestException {
        digits = 0;
        announced += size;
        return expect(c, '\n', size == 0 ? State.TRAILER_START : State.DATA);
    }

    private State extensionName(int c) throws BadRequestException {
        if (c == '=' && state == State.EXTENSION_NAME) {
            return State.EXTENSION_VALUE_START;
        }
        return extension(c, State.EXTENSION_START, State.EXTENSION_NAME);
    }

    private State extensionValue(int c) throws BadRequestException {
        return extension(c, State.EXTENSION_VALUE_START, State.EXTENSION_VALUE);
    }

    /** Accepts a character of a token, or one that ends a token. */
    private State extension(int c, State start, State token) throws BadRequestException {
        count();
        if (Syntax.isToken(c)) {
            return token;
        }
        if (state == start || (c != '\r' && c != ';')) {
            throw BadRequestException.malformed("An extension of a chunk is not a token");
        }
        return c == '\r' ? State.SIZE_FEED : State.EXTENSION_START;
    }

    private State trailerValue(int c) throws BadRequestException {
        if (c == '\r') {
            return State.TRAILER_FEED;
        }
        if (!Syntax.isValue(c)) {
            throw BadRequestException.malformed("A trailer has a control character");
        }
        count();
        return State.TRAILER_VALUE;
    }

    private State trailerName(int c, boolean first) throws BadRequestException {
        count();
        if (c == ':' && !first) {
            return State.TRAILER_VALUE;
        }
        if (!Syntax.isToken(c)) {
            throw BadRequestException.malformed("A trailer has no name");
        }
        return State.TRAILER_NAME;
    }

    private void count() throws BadRequestException {
        if (++extra > MAX_EXTRA) {
            throw BadRequestException.malformed("Extensions and trailers are too large");
        }
    }

    private static State expect(int c, int expected, State then) throws BadRequestException {
        if (c != expected) {
            throw BadRequestException.malformed("A chunk does not end with CR LF");
        }
        return then;
    }

    @Override
    public long announced() {
        return announced;
    }

    @Override
    public boolean isComplete() {
        return state == State.COMPLETE;
    }
}
