package dev.fairlead.benchmarks.servers;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;

import java.io.IOException;

import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Asks another JVM how much it has allocated. Other work on the machine does not change that. */
final class Allocation implements AutoCloseable {
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
                String address = machine.startLocalManagementAgent();
                return new Allocation(JMXConnectorFactory.connect(new JMXServiceURL(address)));
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
            throw new IOException("the JVM does not tell what it has allocated", e);
        }
    }

    @Override
    public void close() throws IOException {
        connector.close();
    }
}
