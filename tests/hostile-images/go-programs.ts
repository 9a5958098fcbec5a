/** What engines do with tars and configurations, in their language and with its library: compared with in `go-reader.test.ts`. */

/** Reads a file of tars, each after its length as a line, and prints what each contains. */
export const GO_READER = `package main

import ("archive/tar"; "bufio"; "encoding/hex"; "encoding/json"; "fmt"; "io"; "os")

func main() {
	file, _ := os.Open(os.Args[1])
	input := bufio.NewReader(file)
	for {
		var length int64
		if _, err := fmt.Fscanf(input, "%d\\n", &length); err != nil { break }
		limited := io.LimitReader(input, length)
		reader := tar.NewReader(limited)
		entries := [][]any{}
		result := map[string]any{}
		for {
			header, err := reader.Next()
			if err != nil {
				if err.Error() != "EOF" { result["error"] = err.Error() }
				break
			}
			entries = append(entries, []any{hex.EncodeToString([]byte(header.Name)), string(header.Typeflag), header.Size, hex.EncodeToString([]byte(header.Linkname))})
		}
		io.Copy(io.Discard, limited)
		result["entries"] = entries
		text, _ := json.Marshal(result)
		fmt.Println(string(text))
	}
}
`;

/** Decodes a file of configurations, one a line, as Docker and containerd do, and prints which of them fail. */
export const GO_DECODER = `package main

import ("bufio"; "encoding/json"; "errors"; "fmt"; "os"; "strconv"; "strings"; "time")

type Port string

func (p *Port) UnmarshalText(text []byte) error {
	if len(text) == 0 { return nil }
	number, _, _ := strings.Cut(string(text), "/")
	if _, err := strconv.ParseUint(number, 10, 16); err != nil { return errors.New("invalid port") }
	*p = Port(text)
	return nil
}

type Health struct {
	Test []string
	Interval, Timeout, StartPeriod, StartInterval time.Duration
	Retries int
}

type Container struct {
	Hostname, Domainname, User, Image, WorkingDir, StopSignal, MacAddress string
	AttachStdin, AttachStdout, AttachStderr, Tty, OpenStdin, StdinOnce, ArgsEscaped, NetworkDisabled bool
	ExposedPorts map[Port]struct{}
	Env, Cmd, Entrypoint, OnBuild, Shell []string
	Healthcheck *Health
	Volumes map[string]struct{}
	Labels map[string]string
	StopTimeout *int
}

type Step struct {
	Created *time.Time \`json:"created"\`
	CreatedBy string \`json:"created_by"\`
	Author string \`json:"author"\`
	Comment string \`json:"comment"\`
	EmptyLayer bool \`json:"empty_layer"\`
}

type Image struct {
	ID string \`json:"id"\`
	Parent string \`json:"parent"\`
	Comment string \`json:"comment"\`
	Created *time.Time \`json:"created"\`
	Container string \`json:"container"\`
	ContainerConfig Container \`json:"container_config"\`
	DockerVersion string \`json:"docker_version"\`
	Author string \`json:"author"\`
	Config *Container \`json:"config"\`
	Architecture string \`json:"architecture"\`
	Variant string \`json:"variant"\`
	OS string \`json:"os"\`
	Size int64
	RootFS struct { Type string \`json:"type"\`; DiffIDs []string \`json:"diff_ids"\` } \`json:"rootfs"\`
	History []Step \`json:"history"\`
	OSVersion string \`json:"os.version"\`
	OSFeatures []string \`json:"os.features"\`
}

func main() {
	file, _ := os.Open(os.Args[1])
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		var image Image
		fmt.Println(json.Unmarshal(lines.Bytes(), &image) == nil)
	}
}
`;
