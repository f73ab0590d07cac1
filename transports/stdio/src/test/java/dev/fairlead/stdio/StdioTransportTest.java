package dev.fairlead.stdio;

import dev.fairlead.jsonrpc.Transport;
import dev.fairlead.testing.TransportContract;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Both ends are streams of real pipes of the operating system: a socket on the loopback. */
class StdioTransportTest extends TransportContract {
    private OutputStream farOut;

    private static Transport transport(Socket socket) throws Exception {
        InputStream in = socket.getInputStream();
        return new LineTransport(
                new LineReader(in, Stdio.DEFAULT_MAX_MESSAGE_SIZE),
                socket.getOutputStream(),
                socket::close);
    }

    @Override
    protected Ends open() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Socket near = new Socket(listener.getInetAddress(), listener.getLocalPort());
            Socket far = listener.accept();
            farOut = far.getOutputStream();
            return new Ends(transport(near), transport(far));
        }
    }

    @Override
    protected void sendMalformed() throws Exception {
        farOut.write("{\"no\": json}\n".getBytes(StandardCharsets.UTF_8));
        farOut.flush();
    }
}
