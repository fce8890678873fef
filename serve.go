package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"paretoplay/internal/command"
	"paretoplay/internal/site"
)

// serve serves the page until ctx ends. The page is available at once, while its program is still compiling.
func serve(ctx context.Context, o command.ServeOptions, stdout, stderr io.Writer) error {
	if _, port, err := net.SplitHostPort(o.Address); err != nil || port == "" {
		return site.InputError{Err: fmt.Errorf("-addr %s: want host:port, such as 127.0.0.1:8080", o.Address)}
	}
	listener, err := net.Listen("tcp", o.Address)
	if err != nil {
		failure := fmt.Errorf("-addr %s: cannot listen: %v (choose another address, such as 127.0.0.1:0)", o.Address, innermost(err))
		if errors.Is(err, syscall.EADDRINUSE) { // the address is valid but already in use
			return failure
		}
		return site.InputError{Err: failure}
	}
	defer func() { _ = listener.Close() }() // closing fails if the server has already closed the listener
	source, err := site.Find(notices, o.Lessons...)
	if err != nil {
		return err
	}
	server, err := site.NewServer(ctx, source, isLoopback(listener.Addr()), stderr)
	if err != nil {
		return err
	}
	page := pageAddress(o.Address, listener.Addr()) + o.Page
	fmt.Fprintln(stdout, "Pareto Playground is at", page)
	if o.Watched != nil {
		host, _, _ := net.SplitHostPort(o.Address) // valid: the address was split above
		server.Watch(o.Watched, host)
		if !isLoopback(listener.Addr()) {
			fmt.Fprintf(stdout, "%s is open to other machines: anyone who opens the page there can read the log\n", listener.Addr())
		}
	}

	if o.Open {
		if err := openBrowser(page); err != nil {
			fmt.Fprintf(stderr, "paretoplay: cannot open the browser (%v); open %s yourself\n", err, page)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	built := make(chan struct{})
	go func() {
		defer close(built)
		server.KeepCompiled(ctx, stdout)
	}()
	err = listen(ctx, listener, server)
	cancel()
	<-built
	return err
}

// listen answers requests until ctx ends, and then waits for open requests to finish.
func listen(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      2 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
	}
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serving: %w", err)
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return errors.Join(fmt.Errorf("stopping: %w", err), server.Close())
	}
	return nil
}

// innermost returns the last error in the chain. The last error lacks the address and the system call, which the caller
// names itself.
func innermost(err error) error {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err
		}
		err = inner
	}
}

// pageAddress returns the URL to open. given is the address from the user; bound is the address that the system chose.
func pageAddress(given string, bound net.Addr) string {
	host, _, err := net.SplitHostPort(given)
	address, errBound := netip.ParseAddrPort(bound.String())
	if err != nil || errBound != nil {
		return "http://" + bound.String() + "/"
	}
	if ip, err := netip.ParseAddr(host); host == "" || err == nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(int(address.Port()))) + "/"
}

func isLoopback(address net.Addr) bool {
	bound, err := netip.ParseAddrPort(address.String())
	return err == nil && bound.Addr().Unmap().IsLoopback()
}

// openBrowser opens a page in the default browser and does not wait for it.
func openBrowser(page string) error {
	var command *exec.Cmd
	switch runtime.GOOS {
	case "darwin":
		command = exec.Command("open", page)
	case "windows":
		command = exec.Command("rundll32", "url.dll,FileProtocolHandler", page)
	default:
		command = exec.Command("xdg-open", page)
	}
	if err := command.Start(); err != nil {
		return err
	}
	return command.Process.Release()
}
