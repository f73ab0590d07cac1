package dev.fairlead.http.internal;

import java.security.spec.InvalidKeySpecException;

/**
 * Puts keys in their older formats, which the platform does not read, into the one that it does.
 */
final class OlderKeys {
    private static final int CURVE = 0xA0;
    private static final Der VERSION = new Der(Der.INTEGER, new byte[] {0});

    /** 1.2.840.113549.1.1.1 and, as its parameters, nothing. */
    private static final Der RSA =
            Der.sequence(
                    new Der(0x06, bytes(0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1)),
                    new Der(0x05, new byte[0]));

    /** 1.2.840.10045.2.1. */
    private static final Der EC = new Der(0x06, bytes(0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1));

    private OlderKeys() {}

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    /** PKCS#8 of an {@code RSA PRIVATE KEY} (PKCS#1). */
    static byte[] rsa(byte[] key) {
        return pkcs8(RSA, key);
    }

    /**
     * PKCS#8 of an {@code EC PRIVATE KEY} (SEC 1).
     *
     * @throws InvalidKeySpecException if it does not say which curve it is of
     */
    static byte[] ec(byte[] key) throws InvalidKeySpecException {
        for (Der part : Der.parse(key).parts()) {
            if (part.tag() == CURVE) {
                return pkcs8(Der.sequence(EC, Der.parse(part.content())), key);
            }
        }
        throw new InvalidKeySpecException("it does not name its curve");
    }

    private static byte[] pkcs8(Der algorithm, byte[] key) {
        return Der.sequence(VERSION, algorithm, new Der(Der.OCTETS, key)).encoded();
    }
}
