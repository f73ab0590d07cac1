package dev.fairlead.benchmarks.servers;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

import java.io.IOException;
import java.util.Map;

import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Asks another JVM how much it has allocated. Other work on the machine does not change that. */
final class Allocation implements AutoCloseable {
    /** Otherwise a thread would look all the time whether the JVM is still there, and complain. */
    private static final Map<String, Long> UNWATCHED =
            Map.of("jmx.remote.x.client.connection.check.period", 0L);

    private final JMXConnector connector;
    private final MBeanServerConnection beans;

    private Allocation(JMXConnector connector) throws IOException {
        this.connector = connector;
        this.beans = connector.getMBeanServerConnection();
    }

    @SuppressWarnings("BanJNDI") // the address comes from a child of ours
    static Allocation of(long process) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(process));
            try {
                JMXServiceURL address = new JMXServiceURL(machine.startLocalManagementAgent());
                return new Allocation(JMXConnectorFactory.connect(address, UNWATCHED));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("process " + process + " cannot be asked", e);
        }
    }

    /** Bytes on the heap so far, of all threads. */
    long bytes() throws IOException {
        try {
            ObjectName threads = ObjectName.getInstance("java.lang:type=Threading");
            return (Long) beans.getAttribute(threads, "TotalThreadAllocatedBytes");
        } catch (JMException e) {
            throw new IOException("the JVM does not report its allocation", e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // the JVM has ended before, as servers do that were lost
        }
    }
}
