/** The reading of handshakes and capabilities that peers write in other forms. */
@org.jspecify.annotations.NullMarked
package dev.fairlead.protocol.handshake;
