package dev.fairlead.http.internal;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.spec.InvalidKeySpecException;
import java.util.ArrayList;
import java.util.List;

/**
 * A value in the encoding of ASN.1 that keys have.
 *
 * @param tag says what it is
 * @param content what it holds
 */
record Der(int tag, byte[] content) {
    static final int INTEGER = 0x02;
    static final int OCTETS = 0x04;
    static final int SEQUENCE = 0x30;

    /** The first value in these bytes. */
    static Der parse(byte[] bytes) throws InvalidKeySpecException {
        return next(ByteBuffer.wrap(bytes));
    }

    private static Der next(ByteBuffer bytes) throws InvalidKeySpecException {
        if (bytes.remaining() < 2) {
            throw new InvalidKeySpecException("it ends within a value");
        }
        int tag = bytes.get() & 0xFF;
        int length = bytes.get() & 0xFF;
        if (length > 0x80) {
            length = longLength(bytes, length & 0x7F);
        }
        if (length < 0 || length > bytes.remaining()) {
            throw new InvalidKeySpecException("it ends within a value");
        }
        byte[] content = new byte[length];
        bytes.get(content);
        return new Der(tag, content);
    }

    private static int longLength(ByteBuffer bytes, int size) {
        if (size > 3 || size > bytes.remaining()) {
            return -1;
        }
        int length = 0;
        for (int i = 0; i < size; i++) {
            length = length << 8 | bytes.get() & 0xFF;
        }
        return length;
    }

    /** The values within this one. */
    List<Der> parts() throws InvalidKeySpecException {
        List<Der> parts = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(content);
        while (rest.hasRemaining()) {
            parts.add(next(rest));
        }
        return parts;
    }

    static Der sequence(Der... parts) {
        var content = new ByteArrayOutputStream();
        for (Der part : parts) {
            content.writeBytes(part.encoded());
        }
        return new Der(SEQUENCE, content.toByteArray());
    }

    byte[] encoded() {
        var bytes = new ByteArrayOutputStream();
        bytes.write(tag);
        int length = content.length;
        if (length < 0x80) {
            bytes.write(length);
        } else if (length < 0x100) {
            bytes.write(0x81);
            bytes.write(length);
        } else {
            bytes.write(0x83);
            bytes.write(length >> 16);
            bytes.write(length >> 8);
            bytes.write(length);
        }
        bytes.writeBytes(content);
        return bytes.toByteArray();
    }
}
